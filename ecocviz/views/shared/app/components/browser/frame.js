// @ts-check
// A narrow window starts with the sidebar folded away; whoever opens it keeps it open. The page is seen from when
// nothing in it moves any more (first.css hides it until then, and for 3 seconds at most).

{
  const LOOK_MS = 40;
  const STILL = 3; // as many looks that find the same
  const page = /** @type {typeof window & { ecocvizFolded?: boolean }} */ (window);
  if (page.innerWidth <= 1000 && !page.ecocvizFolded) {
    page.ecocvizFolded = true;
    const button = page.document.querySelector('[data-testid="stSidebarCollapseButton"] button');
    /** @type {HTMLElement | null} */ (button)?.click();
  }

  /** How high everything is; nothing while a run is under way or something has yet to be loaded. */
  const shape = () => {
    const app = /** @type {HTMLElement | null} */ (page.document.querySelector('[data-testid="stApp"]'));
    const loading = page.document.querySelector('[data-testid="stSkeleton"]');
    if (app?.dataset.testScriptState !== "notRunning" || loading) return "";
    const parts = page.document.querySelectorAll('[data-testid="stElementContainer"]');
    return Array.from(parts, (part) => /** @type {HTMLElement} */ (part).offsetHeight).join();
  };

  /**
   * @param {string} before
   * @param {number} same looks that found that
   */
  const look = (before, same) => {
    const now = shape();
    const found = now && now === before ? same + 1 : 0;
    if (found >= STILL) page.document.documentElement.dataset.eco = "there";
    else setTimeout(() => look(now, found), LOOK_MS);
  };
  if (!page.document.documentElement.dataset.eco) look("", 0);
}
