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
	sheetsSetting = "sheets" // all that there are, one per line
	headerSetting = "header"
	naSetting     = "na"
)

// choices returns what can be chosen about reading a workbook.
func choices(settings statfile.Settings) []statfile.Choice {
	var out []statfile.Choice
	if names := settings[sheetsSetting]; names != "" {
		sheet := statfile.Choice{Setting: sheetSetting, Name: "sheet", Help: "Which sheet of the workbook is read."}
		for _, name := range strings.Split(names, "\n") {
			sheet.Values = append(sheet.Values, statfile.ChoiceValue{Value: name, Name: name})
		}
		out = append(out, sheet)
	}
	return append(out,
		statfile.Choice{Setting: headerSetting, Name: "names", Help: "Where the names of the variables are.",
			Values: []statfile.ChoiceValue{{Value: "yes", Name: "in the first row"}, {Value: "no", Name: "there are none"}}},
		statfile.Choice{Setting: naSetting, Name: "text NA", Help: "What cells with the text NA are, which R writes for missing values.",
			Values: []statfile.ChoiceValue{{Value: "missing", Name: "missing"}, {Value: "text", Name: "a text like others"}}})
}

// suggested returns the settings of a workbook with such sheets.
func suggested(sheets []string) statfile.Settings {
	if len(sheets) == 0 {
		return statfile.Settings{}
	}
	return statfile.Settings{sheetSetting: sheets[0], sheetsSetting: strings.Join(sheets, "\n")}
}

// chosen returns the place of the sheet that is to be read.
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
	return 0, in.Failure(statfile.ErrUnsupported, "the workbook has no sheet of the name %q; choose another one", wording.Excerpt(name))
}

func newGrid(o *statfile.ReadOptions) *grid {
	return &grid{header: o.Settings[headerSetting] != "no", na: o.Settings[naSetting] != "text", most: o.Rows, wanted: o.Wants}
}
