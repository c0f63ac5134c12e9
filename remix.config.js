/** Options of the Remix Vite plugin; every `v3_*` flag is on so that the step to React Router is a rename. */
export default {
  appDirectory: "app",
  ssr: true,
  future: {
    v3_fetcherPersist: true,
    v3_relativeSplatPath: true,
    v3_throwAbortReason: true,
    v3_routeConfig: true,
    v3_singleFetch: true,
    v3_lazyRouteDiscovery: true,
  },
};
