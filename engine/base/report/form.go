package report

import (
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// plain makes text safe for one line: labels in the data can contain anything, and a report may be displayed on a
// terminal.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\t' || r == '\n' || r == '\r':
			return ' '
		case unicode.IsControl(r) || r == utf8.RuneError || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' ||
			r == '\u2029':
			return '\uFFFD'
		default:
			return r
		}
	}, text)
}

// Form is an output format. It escapes all text of a page.
type Form func(p *Page) string

// Write writes the page in the form.
func (f Form) Write(w io.Writer, p *Page) error {
	_, err := io.WriteString(w, f(p))
	return err
}

// FormOf returns the form for the extension of a file name: .html, .md, .json, else plain text.
func FormOf(path string) Form {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".html", ".htm":
		return HTML()
	case ".md", ".markdown":
		return Markdown()
	case ".json":
		return JSON()
	}
	return Plain()
}

// Plain returns the form of plain text, with aligned columns.
func Plain() Form {
	return func(p *Page) string {
		page := underlined(plain(p.Title), "=")
		p.Each(func(s *Section, depth int, _, heading string) {
			page += "\n" + underlined(plain(heading), [...]string{"-", "."}[depth])
			for _, line := range s.Lines {
				page += plain(line) + "\n"
			}
			page += joined(aligned(Rounded(s.Table)), "", "\n")
		})
		return page
	}
}

// underlined returns a text on a line, with a line below it.
func underlined(text, line string) string {
	return text + "\n" + strings.Repeat(line, utf8.RuneCountInString(text)) + "\n"
}

// joined concatenates the texts, each with a prefix and a suffix.
func joined(texts []string, before, behind string) string {
	var all strings.Builder
	for _, text := range texts {
		all.WriteString(before + text + behind)
	}
	return all.String()
}

// Markdown returns the form with pipe tables.
func Markdown() Form {
	return func(p *Page) string {
		var page strings.Builder
		page.WriteString("# " + marked(p.Title) + "\n")
		p.Each(func(s *Section, depth int, _, heading string) {
			page.WriteString("\n##" + strings.Repeat("#", depth) + " " + marked(heading) + "\n")
			lines, rows := bullets(s.Lines), pipes(Rounded(s.Table))
			if s.Entry {
				lines, rows = paragraph(s.Lines), items(Rounded(s.Table))
			}
			for _, part := range []string{lines, rows} {
				if part != "" {
					page.WriteString("\n" + part)
				}
			}
		})
		return page.String()
	}
}

// pipes formats a table in Markdown.
func pipes(table [][]string) string {
	var text strings.Builder
	for i, row := range table {
		for _, cell := range row {
			text.WriteString("| " + marked(cell) + " ")
		}
		text.WriteString("|\n")
		if i == 0 {
			text.WriteString(strings.Repeat("|---", len(row)) + "|\n")
		}
	}
	return text.String()
}

// bullets formats lines as a list in Markdown.
func bullets(lines []string) string {
	var text strings.Builder
	for _, line := range lines {
		text.WriteString("- " + begun(marked(line)) + "\n")
	}
	return text.String()
}

// paragraph formats lines as a paragraph in Markdown. Lines that begin with "- " are the items of a list.
func paragraph(lines []string) string {
	var text strings.Builder
	afterItem := true
	for i, line := range lines {
		line, item := strings.CutPrefix(line, "- ")
		switch {
		case item:
			text.WriteString(strings.Repeat("\n", min(1, i)) + "- ")
		case !afterItem:
			text.WriteString("\\\n")
		case i > 0:
			text.WriteString("\n\n")
		}
		text.WriteString(begun(marked(line)))
		afterItem = item
	}
	return text.String() + strings.Repeat("\n", min(1, len(lines)))
}

// items formats the rows of a table, without the heading row, as a list in Markdown.
func items(table [][]string) string {
	var text strings.Builder
	for _, row := range table[min(1, len(table)):] {
		text.WriteString("- **" + marked(row[0]) + "**")
		if len(row) > 2 {
			text.WriteString(" (" + marked(row[1]) + ")")
		}
		text.WriteString(": " + marked(row[len(row)-1]) + "\n")
	}
	return text.String()
}

// marked escapes a text within a line of Markdown.
func marked(text string) string {
	return strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "|", `\|`, "[", `\[`, "]", `\]`, "<", "&lt;",
		"&", "&amp;", "#", `\#`, "~~", `\~\~`).Replace(plain(text))
}

// begun escapes the beginning of a line that would start a list, quotation or fence.
func begun(text string) string {
	text = strings.TrimLeft(text, " ")
	number := strings.TrimLeft(text, "0123456789")
	switch {
	case text != "" && strings.ContainsRune("-+>=~", rune(text[0])):
		return `\` + text
	case number != "" && len(number) < len(text) && (number[0] == '.' || number[0] == ')'):
		return text[:len(text)-len(number)] + `\` + number
	}
	return text
}

// aligned formats the rows of a table in columns of equal width, with numbers on the right.
func aligned(table [][]string) []string {
	lines, right := make([]string, len(table)), Numbers(table)
	for column := 0; len(table) > 0 && column < len(table[0]); column++ {
		width := 0
		for _, row := range table {
			if column < len(row) {
				width = max(width, utf8.RuneCountInString(plain(row[column])))
			}
		}
		for i := range lines {
			text := ""
			if column < len(table[i]) {
				text = plain(table[i][column])
			}
			blanks := strings.Repeat(" ", width-utf8.RuneCountInString(text))
			if right[column] {
				lines[i] += blanks + text + "  "
			} else {
				lines[i] += text + blanks + "  "
			}
		}
	}
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return lines
}

// Numbers reports, by column, whether the cells below the heading are numbers: those that are not empty look like
// numbers or are dashes.
func Numbers(table [][]string) []bool {
	if len(table) == 0 {
		return nil
	}
	right := make([]bool, len(table[0]))
	for column := range right {
		numbers, words := 0, 0
		for _, row := range table[1:] {
			switch {
			case column >= len(row) || row[column] == "":
			case numeral(row[column]):
				numbers++
			default:
				words++
			}
		}
		right[column] = numbers > 0 && words == 0
	}
	return right
}

// numeral reports whether a text is a number, optionally followed by a unit or a share, or a dash: it begins with
// a digit and contains no word.
func numeral(text string) bool {
	digits := strings.TrimLeft(text, "–-.")
	if _, err := strconv.ParseFloat(text, 64); err == nil || digits == "" {
		return true
	}
	return digits[0] >= '0' && digits[0] <= '9' && !strings.ContainsFunc(text, unicode.IsLetter)
}
