// @ts-check
// A table that is made anew shows its first rows; where a page says so, it is scrolled to the one that is chosen.
// (No letter may follow a less-than sign in this file, comments included: the page would leave the whole script out.)

{
  const page = /** @type {typeof window & { ecocvizListed?: MutationObserver }} */ (window);
  const TRIES = 50;

  /** @type {Element | null} */
  let done = null;

  const scroll = (/** @type {Element} */ said, /** @type {number} */ tries) => {
    const rows = page.document.querySelector(`.${said.getAttribute("data-table")} .dvn-scroller`);
    if (rows && rows.scrollHeight > rows.clientHeight) rows.scrollTop = Number(said.getAttribute("data-top"));
    else if (tries > 0) page.setTimeout(() => scroll(said, tries - 1), 100);
  };

  const look = () => {
    const said = page.document.querySelector(".eco-listed");
    if (said && said !== done) scroll(said, TRIES);
    done = said;
  };

  if (!page.ecocvizListed && page.MutationObserver) {
    page.ecocvizListed = new page.MutationObserver(look);
    page.ecocvizListed.observe(page.document.body, { childList: true, subtree: true });
    look();
  }
}
