import { createContext, type ReactNode, useContext } from "react";

interface Entry {
  /** Address of the built `entry.client.ts`. */
  module: string;
  /** The Content-Security-Policy's nonce of this response. */
  nonce: string;
}

const EntryContext = createContext<Entry>({ module: "", nonce: "" });

export function EntryProvider({ children, ...entry }: Entry & { children: ReactNode }) {
  return <EntryContext.Provider value={entry}>{children}</EntryContext.Provider>;
}

/** For the few scripts from other origins. */
export function useNonce(): string {
  return useContext(EntryContext).nonce;
}

/**
 * The only script of a page, which runs after parsing: with `async` a cached one would run earlier, and find no island.
 * React 18's `bootstrapModules` would omit the nonce, and the policy would block it.
 */
export function EntryScript() {
  const { module, nonce } = useContext(EntryContext);
  return (
    <>
      {/* Reloads the page when its sources have changed. */}
      {import.meta.env.DEV && <script type="module" src={`${import.meta.env.BASE_URL}@vite/client`} nonce={nonce} />}
      <script type="module" src={module} nonce={nonce} />
    </>
  );
}
