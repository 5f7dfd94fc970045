export const isDiskLow = ({ free, total }: { free: number; total: number }): boolean =>
  total > 0 && free / total < 0.1
