/** How long an API token may be valid, in days, as the choices of a form. */
export const tokenLives = [
  { value: "7", label: "A week" },
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "180", label: "180 days" },
  { value: "365", label: "A year" },
];
