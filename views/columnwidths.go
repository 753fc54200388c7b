package views

// widest is the width above which a value is cut in every table.
const widest = 24
