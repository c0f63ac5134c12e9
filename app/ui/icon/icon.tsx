import type { ComponentPropsWithoutRef } from "react";
import * as styles from "./icon.css";
import { iconPaths } from "./icon-paths";

export type IconName = keyof typeof iconPaths;

export interface IconProps extends Omit<ComponentPropsWithoutRef<"svg">, "name"> {
  name: IconName;
}

/**
 * A decorative icon next to text. It is hidden from screen readers: the text, or the control's `aria-label`, has its
 * meaning.
 */
export function Icon({ name, className, ...rest }: IconProps) {
  return (
    <svg
      className={className ? `${styles.icon} ${className}` : styles.icon}
      viewBox="0 0 16 16"
      width="16"
      height="16"
      aria-hidden="true"
      {...rest}
    >
      <path d={iconPaths[name]} />
    </svg>
  );
}
