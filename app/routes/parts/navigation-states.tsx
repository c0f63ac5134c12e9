import { href } from "~/href";
import { Breadcrumbs } from "~/ui/breadcrumbs/breadcrumbs";
import { LinkButton } from "~/ui/button/button";
import { Choices } from "~/ui/choices/choices";
import { ListPage, type ListPageProps } from "~/ui/list-page/list-page";
import { Menu, MenuButton, MenuLink } from "~/ui/menu/menu";
import { Pagination } from "~/ui/pagination/pagination";
import { tickColumn } from "~/ui/selection/tick-column";
import { SideNavigation } from "~/ui/side-navigation/side-navigation";
import { SkipLink } from "~/ui/skip-link/skip-link";
import { SplitView } from "~/ui/split-view/split-view";
import { Table } from "~/ui/table/table";
import { Tabs } from "~/ui/tabs/tabs";
import type { PartStates } from "./part-states";

const here = href("/");
const items = [
  { label: "Tests", href: here, current: true, count: 12 },
  { label: "Runs", href: here },
];
const list: Omit<ListPageProps, "requested" | "isEmpty"> = {
  title: "Products",
  description: "What the shop sells.",
  one: "product",
  many: "products",
  address: here,
  create: { href: here, label: "Add a product" },
  nothingYet: { title: "No products yet", children: "Add the first one." },
  nextCursor: undefined,
  children: <LinkButton href={here}>Notebook</LinkButton>,
};
const navigation = <SideNavigation label="Products" groups={[{ key: "shop", label: "Shop", items }]} />;

/** Parts that lead to other pages. */
export const navigationStates: PartStates = () => ({
  breadcrumbs: {
    plain: (
      <Breadcrumbs
        items={[
          { label: "Shop", href: here },
          { label: "Products", note: "v1" },
        ]}
      />
    ),
  },
  choices: {
    plain: (
      <Choices
        items={[
          { label: "All", href: here, current: true },
          { label: "Failing", href: here, current: false },
        ]}
      />
    ),
  },
  "list-page": {
    "with more pages": <ListPage {...list} requested={{}} isEmpty={false} summary="1 to 20 of 45" nextCursor="20" />,
    "without a match": <ListPage {...list} requested={{ query: "pen" }} isEmpty />,
    "nothing yet": <ListPage {...list} requested={{}} isEmpty />,
  },
  menu: {
    closed: (
      <Menu label="Actions" side="start">
        <MenuLink href={here} icon="pencil">
          Edit
        </MenuLink>
        <MenuButton danger>Delete</MenuButton>
      </Menu>
    ),
    "icon alone": (
      <Menu label="Actions" icon="info" labelHidden variant="quiet">
        <MenuLink href={here}>Edit</MenuLink>
      </Menu>
    ),
  },
  pagination: {
    first: <Pagination label="Pages" summary="1 to 20 of 45" nextHref={here} />,
    middle: <Pagination label="Pages" summary="21 to 40 of 45" firstHref={here} previousHref={here} nextHref={here} />,
    last: <Pagination label="Pages" summary="41 to 45 of 45" firstHref={here} previousHref={here} />,
  },
  selection: {
    "of a list": (
      <Table
        caption="Circles"
        captionHidden
        columns={[
          tickColumn<{ id: string; name: string }>(["2"], ({ name }) => name),
          { key: "name", header: "Name", cell: ({ name }) => name },
        ]}
        rows={[
          { id: "1", name: "Smoke" },
          { id: "2", name: "Checkout" },
        ]}
        rowKey={({ id }) => id}
      />
    ),
  },
  "side-navigation": { plain: navigation },
  "skip-link": { "seen when it has the focus": <SkipLink href="#content" /> },
  "split-view": { plain: <SplitView sidebar={navigation}>Compared with the selection next to it.</SplitView> },
  tabs: { plain: <Tabs label="Of the API" items={items} /> },
});
