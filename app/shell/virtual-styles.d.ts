declare module "virtual:styles" {
  /** The built sheets, see `vite-styles.ts`. */
  const styles: {
    /** Address of the sheet with all rules. */
    sheet: string;
    /** Their rules by address, in cascade order. */
    rules: Record<string, string>;
  };
  export default styles;
}
