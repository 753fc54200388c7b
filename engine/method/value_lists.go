package method

import "strings"

// lists is a semicolon-separated list of lists, each like words.
type lists [][]string

// Lists binds lists of names of variables, such as a first, second and third choice.
func Lists(field *[][]string, name, help string) Param {
	return Param{Name: name, Help: help, Kind: KindWritten, Value: (*lists)(field)}
}

func (l *lists) names() []string {
	var all []string
	for _, names := range *l {
		all = append(all, names...)
	}
	return all
}

// String formats the lists.
func (l *lists) String() string {
	parts := make([]string, len(*l))
	for i, names := range *l {
		parts[i] = WrittenList(names)
	}
	return strings.Join(parts, "; ")
}

// Set parses lists; semicolons in double quotes do not separate.
func (l *lists) Set(text string) error {
	var read lists
	quoted, from := false, 0
	for i := 0; i <= len(text); i++ {
		if i < len(text) && text[i] == '"' {
			quoted = !quoted
		}
		if i < len(text) && (text[i] != ';' || quoted) {
			continue
		}
		var names words
		if err := names.Set(text[from:i]); err != nil {
			return err
		}
		if from = i + 1; len(names) > 0 {
			read = append(read, names)
		}
	}
	*l = read
	return nil
}
