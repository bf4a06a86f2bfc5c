// @ts-check
// A narrow window starts with the sidebar folded away; whoever opens it keeps it open. The first page is seen
// when the code of all that stands on it is there (first_paint.css), or after a while all the same.
// No bracket of a tag may stand in here: Streamlit would take the whole script out.

{
  const { classList } = document.documentElement;
  if (!classList.contains("eco-folded")) {
    const button = document.querySelector('[data-testid="stSidebarCollapseButton"] button');
    if (innerWidth <= 1000) /** @type {HTMLElement | null} */ (button)?.click();
    classList.add("eco-folded");
    const until = performance.now() + 2500;
    const look = () => {
      const drawn = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".stBidiComponent")]);
      const whole =
        !document.querySelector('[data-testid="stMain"] [data-testid="stSkeleton"]') &&
        !drawn.some((one) => one.offsetParent && !one.offsetHeight);
      const state = document.querySelector('[data-testid="stApp"]')?.getAttribute("data-test-script-state");
      if ((whole && state === "notRunning") || performance.now() > until) classList.add("eco-ready");
      else requestAnimationFrame(look);
    };
    look();
  }
}
