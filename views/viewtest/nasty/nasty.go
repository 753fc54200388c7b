// Package nasty lists labels that files may contain and that are hard to display, for tests.
package nasty

import "strings"

// Labels are labels that are hard to display.
var Labels = []string{
	"a", "plain label", "\x1b[2J\x1b[31mred", "\x1b]0;title\x07", "\u009b31m", "tab\there", "line\nbreak\r",
	"\x00\x01\x7f", "日本語の長いラベル",
	"👩‍👩‍👧‍👦 family", "👍🏽", "🇦🇹", "❤️", "e\u0301\u0302\u0303\u0304\u0305\u0306\u0307", "\u0301leading", "\u202eevil\u202c",
	"\u200b\u200d\ufeff", "שלום", "مرحبا",
	strings.Repeat("long ", 2000), strings.Repeat("宽", 10000), strings.Repeat("a\u0300", 5000), "\xff\xfe\xc3", "ﷺ",
	"क्षि", "각", "\u1160\u3164", "󠁧󠁢", "=1+1", "  ",
}
