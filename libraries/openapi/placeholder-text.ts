/** For a value that the document does not say: `YOUR_CUSTOMER_ID` for `customerId`. */
export function placeholderText(name: string): string {
  return `YOUR_${name
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .replace(/\W+/g, "_")
    .toUpperCase()}`;
}
