package draw

// Widest is the width above which a value is cut in every table.
const Widest = 24
