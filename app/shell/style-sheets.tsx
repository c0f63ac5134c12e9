import { createContext, useContext } from "react";

const Sheets = createContext<readonly string[]>([]);

export const StyleSheetsProvider = Sheets.Provider;

/** The sheets of a page. Remix' own `Links` works out anew what a browser would fetch ahead, which no page of ours asks. */
export function StyleSheets() {
  return useContext(Sheets).map((href) => <link key={href} rel="stylesheet" href={href} />);
}
