declare module "virtual:styles" {
  /** The built sheets, see `vite-styles.ts`. */
  const styles: {
    /** Address of the one that holds them all. */
    sheet: string;
    /** Their rules by address, in the order in which they apply. */
    rules: Record<string, string>;
  };
  export default styles;
}
