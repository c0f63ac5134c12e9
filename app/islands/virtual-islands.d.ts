declare module "virtual:islands" {
  /** By name: the address of the island's own file, then of all that it imports. */
  const files: Record<string, [string, ...string[]]>;
  export default files;
}
