/** Under a tenth of free disk, the host is warned. Bytes. */
export const isDiskLow = ({ free, total }: { free: number; total: number }): boolean => total > 0 && free / total < 0.1
