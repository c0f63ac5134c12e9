/** Circle of radius `r` around the middle, as path commands, so that every icon is one `<path>`. */
const ring = (r: number) => `M8 ${8 - r}a${r} ${r} 0 1 0 0 ${2 * r}a${r} ${r} 0 1 0 0-${2 * r}z`;

/** Drawn on a 16 px grid for a 1.5 px stroke with round ends. A dot is a stroke of almost no length. */
export const iconPaths = {
  "arrow-right": "M3 8h10M9 4l4 4-4 4",
  blocked: `${ring(5.5)}M4.2 4.2l7.6 7.6`,
  calendar:
    "M2.75 4.5a1 1 0 0 1 1-1h8.5a1 1 0 0 1 1 1v7.75a1 1 0 0 1-1 1h-8.5a1 1 0 0 1-1-1zM2.75 7h10.5M5.5 2v2.5M10.5 2v2.5",
  check: "M3 8.6l3.2 3.2L13 4.8",
  "chevron-down": "M4 6l4 4 4-4",
  "chevron-left": "M10 4L6 8l4 4",
  "chevron-right": "M6 4l4 4-4 4",
  "chevron-up": "M4 10l4-4 4 4",
  clock: `${ring(5.75)}M8 5v3.2l2.2 1.4`,
  close: "M4.5 4.5l7 7M11.5 4.5l-7 7",
  copy: "M6.5 5.5h6a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1h-6a1 1 0 0 1-1-1v-6a1 1 0 0 1 1-1zM10.5 5.5v-2a1 1 0 0 0-1-1h-6a1 1 0 0 0-1 1v6a1 1 0 0 0 1 1h2",
  cross: "M3.75 3.75l8.5 8.5M12.25 3.75l-8.5 8.5",
  dot: `${ring(1.5)}M8 8v.05`,
  download: "M8 2.5v7.25M4.75 6.75L8 10l3.25-3.25M3 13.25h10",
  external: "M9.5 2.75h3.75V6.5M13 3L7.75 8.25M11.5 9.25v3a1 1 0 0 1-1 1H3.75a1 1 0 0 1-1-1V5.5a1 1 0 0 1 1-1h3",
  filter: "M2.5 4.25h11M4.75 8h6.5M6.75 11.75h2.5",
  info: `${ring(5.75)}M8 7.5v3.25M8 5.2v.05`,
  key: "M5.5 7.5a3 3 0 1 0 0 6 3 3 0 1 0 0-6zM7.75 8.25L13 3M10.5 5.5l1.75 1.75",
  lock: "M4.25 7h7.5a1 1 0 0 1 1 1v4.5a1 1 0 0 1-1 1h-7.5a1 1 0 0 1-1-1V8a1 1 0 0 1 1-1zM5.25 7V5.25a2.75 2.75 0 0 1 5.5 0V7",
  mail: "M2.5 4.5a1 1 0 0 1 1-1h9a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1zM2.75 5l5.25 4 5.25-4",
  menu: "M2.5 4.25h11M2.5 8h11M2.5 11.75h11",
  minus: "M3.5 8h9",
  more: [3.5, 8, 12.5].map((x) => `M${x} 7.5a.5.5 0 1 0 0 1 .5.5 0 1 0 0-1z`).join(""),
  pause: "M5.5 3.5v9M10.5 3.5v9",
  pencil: "M10.75 2.75l2.5 2.5-7.75 7.75H3v-2.5zM9 4.5L11.5 7",
  play: "M5 3.25v9.5L12.75 8z",
  plus: "M8 3v10M3 8h10",
  refresh: "M13.25 8A5.25 5.25 0 1 1 11.6 4.2l1.65 1.55M13.25 2.5v3.25H10",
  search: "M7 2.75a4.25 4.25 0 1 0 0 8.5 4.25 4.25 0 1 0 0-8.5zM10.1 10.1l3.15 3.15",
  sort: "M5 6.25L8 3.25l3 3M5 9.75l3 3 3-3",
  trash: "M2.75 4.5h10.5M6.25 4.25v-1.5h3.5v1.5M4.25 4.5l.6 8.75h6.3l.6-8.75M6.75 7.25v3.5M9.25 7.25v3.5",
  upload: "M8 10.25V3M4.75 6L8 2.75 11.25 6M3 13.25h10",
  user: "M8 2.75a2.5 2.5 0 1 0 0 5 2.5 2.5 0 1 0 0-5zM3 13.25a5 4 0 0 1 10 0",
  users:
    "M6 3.25a2.25 2.25 0 1 0 0 4.5 2.25 2.25 0 1 0 0-4.5zM1.75 13a4.25 3.6 0 0 1 8.5 0M10.25 3.5a2.1 2.1 0 0 1 0 4M11.75 9.75a3.6 3.2 0 0 1 2.5 3.25",
  warning: "M8 2.5l6 10.75H2zM8 6.75V9.5M8 11.4v.05",
} as const;
