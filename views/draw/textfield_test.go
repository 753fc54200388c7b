package draw

import (
	"testing"

	tea "charm.land/bubbletea/v2"
)

// Every editing key can be pressed with the cursor anywhere in any text.
func TestKeysOfATextField(t *testing.T) {
	var keys []tea.KeyPressMsg
	for _, mod := range []tea.KeyMod{0, tea.ModAlt, tea.ModCtrl} {
		for _, code := range []rune{tea.KeyLeft, tea.KeyRight, tea.KeyHome, tea.KeyEnd, tea.KeyDelete, tea.KeyBackspace,
			tea.KeyTab, tea.KeyUp,
			tea.KeyDown, 'a', 'b', 'd', 'e', 'f', 'h', 'k', 'n', 'p', 'u', 'v', 'w'} {
			keys = append(keys, tea.KeyPressMsg{Code: code, Mod: mod})
		}
	}
	for _, text := range []string{"", "a", " ", "ab cd", "ab ", "  ä", "a  b"} {
		for at := range len([]rune(text)) + 1 {
			for _, key := range keys {
				field := NewTextField(text)
				for range len([]rune(text)) - at {
					field.Handle(tea.KeyPressMsg{Code: tea.KeyLeft})
				}
				field.Handle(key)
				field.View(NewTheme(true, true), 10)
			}
		}
	}
}

// The word under the cursor is deleted, even if it is one character at the end.
func TestDeletingAWordForward(t *testing.T) {
	for _, key := range []tea.KeyPressMsg{{Code: 'd', Mod: tea.ModAlt}, {Code: tea.KeyDelete, Mod: tea.ModAlt},
		{Code: tea.KeyDelete, Mod: tea.ModCtrl}} {
		for left, want := range map[int]string{0: "ab cd", 1: "ab c", 2: "ab ", 3: "ab", 5: " cd"} {
			field := NewTextField("ab cd")
			for range left {
				field.Handle(tea.KeyPressMsg{Code: tea.KeyLeft})
			}
			if field.Handle(key); field.Text() != want {
				t.Errorf("%s, %d characters before the end: %q, want %q", key, left, field.Text(), want)
			}
		}
	}
}
