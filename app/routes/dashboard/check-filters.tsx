import { Choices } from "~/ui/choices/choices";
import { listAddress } from "~/ui/list-page/list-address";
import { Menu, MenuLink } from "~/ui/menu/menu";
import * as styles from "./check-filters.css";
import type { CheckFilters as Filters } from "./checks.server";

/** More than a menu can hold are found on the list of APIs. */
const maxTags = 50;

export interface CheckFiltersProps {
  /** The page's own address. */
  address: string;
  filters: Filters;
  tags: readonly string[];
}

const states = [
  { value: undefined, label: "All" },
  { value: "failing", label: "Failing" },
  { value: "well", label: "Not failing" },
] as const;

/** Links that filter the list by state and by tag. */
export function CheckFilters({ address, filters, tags }: CheckFiltersProps) {
  const target = (changes: Record<string, string | undefined>) => `${listAddress(address, changes)}#checks`;
  return (
    <nav aria-label="Filter APIs" className={styles.filters}>
      <Choices
        items={states.map(({ value, label }) => ({
          label,
          href: target({ state: value }),
          current: value === filters.state,
        }))}
      />
      {tags.length > 0 && (
        <Menu label={filters.tag ? `Tag: ${filters.tag}` : "Any tag"} size="small">
          {filters.tag && <MenuLink href={target({ tag: undefined })}>Any tag</MenuLink>}
          {tags.slice(0, maxTags).map((tag) => (
            <MenuLink key={tag} href={target({ tag })} aria-current={tag === filters.tag ? "true" : undefined}>
              {tag}
            </MenuLink>
          ))}
        </Menu>
      )}
    </nav>
  );
}
