/** Stands in for `virtual:islands`, which only exists in a build: markup made by tests references no built files. */
export default {};
