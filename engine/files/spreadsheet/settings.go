package spreadsheet

import (
	"slices"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/wording"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
)

// Names of the settings.
const (
	sheetSetting  = "sheet"
	sheetsSetting = "sheets" // all sheets, one per line
	headerSetting = "header"
	naSetting     = "na"
)

// options returns the options of a workbook: sheet, header and treatment of NA.
func options(settings statfile.Settings) []statfile.Option {
	out := []statfile.Option{
		{Setting: sheetSetting, Name: "sheet", Help: "Sheet to read."},
		{Setting: headerSetting, Name: "names", Help: "Whether the first row contains the variable names.",
			Choices: statfile.Choices("yes", "in the first row", "no", "none")},
		{Setting: naSetting, Name: "text NA", Help: "How to read cells with the text NA, which R writes for missing values.",
			Choices: statfile.Choices("missing", "missing", "text", "ordinary text")},
	}
	names := settings[sheetsSetting]
	if names == "" {
		return out[1:]
	}
	out[0].Choices = statfile.Plain(strings.Split(names, "\n")...)
	return out
}

// suggested returns the settings of a workbook with the given sheets.
func suggested(sheets []string) statfile.Settings {
	if len(sheets) == 0 {
		return statfile.Settings{}
	}
	return statfile.Settings{sheetSetting: sheets[0], sheetsSetting: strings.Join(sheets, "\n")}
}

// chosen returns the index of the selected sheet.
func chosen(in *statfile.Source, sheets []string, settings statfile.Settings) (int, error) {
	name, given := settings[sheetSetting]
	if len(sheets) == 0 {
		return 0, in.Failure(statfile.ErrDamaged, "the workbook has no sheet")
	}
	if !given || name == "" {
		return 0, nil
	}
	if at := slices.Index(sheets, name); at >= 0 {
		return at, nil
	}
	return 0, in.Failure(statfile.ErrUnsupported, "the workbook has no sheet %q; choose another one",
		wording.Excerpt(name))
}

func newGrid(in *statfile.Source, o *statfile.ReadOptions) *grid {
	return &grid{in: in, header: o.Settings[headerSetting] != "no", na: o.Settings[naSetting] != "text", most: o.Rows,
		wanted: o.Wants}
}
