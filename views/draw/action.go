package draw

// Handled says that the key was taken and nothing else is to do.
type Handled struct{}

// Action is what a key press or a mouse click asks for. The set is closed:
// the running program carries out every action in one place, whether it came
// from a key, the mouse or the palette.
type Action any
