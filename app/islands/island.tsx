import type { ComponentType } from "react";
import { renderToString } from "react-dom/server";
import { useViewersZone, ViewersClock } from "~/features/time-zone/viewers-clock";
import { useNonce } from "~/shell/entry-script";
import { islandAttributes, islandImports } from "./island-attributes";

export interface IslandProps<Props> {
  /** Folder under `app/islands`. */
  name: string;
  /** The component that the island's `hydrate` mounts; its server markup works without script. */
  component: ComponentType<Props>;
  /** Plain JSON; it is serialized into the page. */
  props: Props;
  when?: "load" | "idle" | "visible";
  className?: string;
}

/**
 * A hydrated part of a page. Its markup is rendered as a separate root, so that ids from `useId` are the same in the
 * browser, where only this element is hydrated.
 */
export function Island<Props extends object>({
  name,
  component: Ground,
  props,
  when = "load",
  className,
}: IslandProps<Props>) {
  const nonce = useNonce();
  const zone = useViewersZone();
  // A separate root does not receive the surrounding contexts.
  const ground = (
    <ViewersClock zone={zone}>
      <Ground {...props} />
    </ViewersClock>
  );
  const markup = renderToString(ground, { identifierPrefix: name });
  const early = when === "load" ? islandImports(name) : [];
  return (
    <>
      {early.map((address) => (
        <link key={address} rel="modulepreload" href={address} nonce={nonce} />
      ))}
      <div
        className={className}
        {...islandAttributes(name)}
        data-when={when}
        data-zone={zone && JSON.stringify(zone)}
        data-props={JSON.stringify(props)}
        dangerouslySetInnerHTML={{ __html: markup }}
      />
    </>
  );
}
