themeSearch();
reader();
decisions();
chooser();
twoProducts();
search();
