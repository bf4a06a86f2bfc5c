// A narrow window starts with the sidebar folded away; whoever opens it keeps it open.
if (window.innerWidth <= 1000 && !window.ecocvizFolded) {
  window.ecocvizFolded = true;
  document.querySelector('[data-testid="stSidebarCollapseButton"] button')?.click();
}
