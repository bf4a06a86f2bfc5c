// @ts-check
// A narrow window starts with the sidebar folded away; whoever opens it keeps it open.

{
  const page = /** @type {typeof window & { ecocvizFolded?: boolean }} */ (window);
  if (page.innerWidth <= 1000 && !page.ecocvizFolded) {
    page.ecocvizFolded = true;
    const button = page.document.querySelector('[data-testid="stSidebarCollapseButton"] button');
    /** @type {HTMLElement | null} */ (button)?.click();
  }
}
