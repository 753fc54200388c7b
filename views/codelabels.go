package views

// codeLabels returns what the codes of a variable mean, where a code list came
// with the file or with a recode; nil where none did.
func codeLabels(s State, variable string) map[string]string {
	if column := s.Current.column(variable); column != nil && column.Description() != nil {
		return column.Description().Labels
	}
	return nil
}

// withCodeLabel returns a code followed by what it means.
func withCodeLabel(code string, labels map[string]string) string {
	if meaning := labels[code]; meaning != "" && meaning != code {
		return code + " " + meaning
	}
	return code
}
