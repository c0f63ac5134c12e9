/** Stands for `virtual:islands`, which only a build knows: markup made by tests names no built files. */
export default {};
