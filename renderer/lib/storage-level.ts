/** How full the storage is: red above 90 %, orange above 70 %, green otherwise. */
export function storageLevel(percentage: number): 'red' | 'orange' | 'green' {
  if (percentage > 90) return 'red'
  return percentage > 70 ? 'orange' : 'green'
}
