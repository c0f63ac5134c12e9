declare module "virtual:islands" {
  /** By island name: the address of the island's file, then of all its imports. */
  const files: Record<string, [string, ...string[]]>;
  export default files;
}
