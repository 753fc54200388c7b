package session

import "io"

// ExportText writes a text that was made from the session, such as the recode
// file of one variable. The file appears when it is whole; one that exists is
// replaced only with force, and the source of the data never.
func (d Document) ExportText(path string, force bool, text string) error {
	return writeFile(path, force, d.sourcePath(), func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
}
