package views

// marked returns the name of a variable with its marks.
func (s State) marked(name string) string {
	return shortened(name) + changeMark(s.Current.column(name))
}

// markLegend says what the marks of variables mean; "" where none has one.
func (s State) markLegend(names []string) string {
	recoded, perturbed := false, false
	for _, name := range names {
		if column := s.Current.column(name); column != nil {
			recoded, perturbed = recoded || column.Recoded(), perturbed || column.Origin() != 0
		}
	}
	switch {
	case recoded && perturbed:
		return recodedMark + " recoded  " + perturbedMark + " drawn anew or disturbed"
	case recoded:
		return recodedMark + " recoded"
	case perturbed:
		return perturbedMark + " drawn anew or disturbed"
	}
	return ""
}
