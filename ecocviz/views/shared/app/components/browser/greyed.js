// @ts-check
// In the lists that open, what cannot be chosen beside the rest is greyed, with the sentence that says why.
// (No letter may follow a less-than sign in this file, comments included: the page would leave the whole script out.)

{
  const page = /** @type {typeof window & { ecocvizLists?: MutationObserver }} */ (window);

  const grey = () => {
    const options = page.document.querySelectorAll('[role="option"]');
    if (!options.length) return;
    const reasons = new Map();
    for (const one of page.document.querySelectorAll(".eco-reasons > i")) {
      reasons.set(one.getAttribute("title") ?? "", (one.textContent ?? "").replaceAll("\u2060", ""));
    }
    for (const option of options) {
      const reason = reasons.get((option.textContent ?? "").trim());
      option.classList.toggle("eco-off", reason !== undefined);
      if (reason === undefined) option.removeAttribute("title");
      else option.setAttribute("title", reason);
    }
  };

  if (!page.ecocvizLists && page.MutationObserver) {
    // Lists open beside the app in the document's body; long ones are filled while they are scrolled.
    const filled = new page.MutationObserver(grey);
    page.ecocvizLists = new page.MutationObserver((changes) => {
      for (const change of changes) {
        for (const node of change.addedNodes) {
          if (node instanceof page.HTMLElement && node.querySelector('[role="listbox"]')) {
            filled.observe(node, { childList: true, subtree: true, characterData: true });
          }
        }
      }
      grey();
    });
    page.ecocvizLists.observe(page.document.body, { childList: true });
  }
}
