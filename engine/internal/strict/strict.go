// Package strict reads JSON that people write or change: what is not understood
// is an error, not left out.
package strict

import (
	"bytes"
	"encoding/json"
	"errors"
)

// Decode reads one JSON value. A field that the target does not have is an
// error, and so is text after the end of the value; other errors are those of
// package encoding/json.
func Decode(text []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return err
	}
	if decoder.More() {
		return errors.New("there is text after its end")
	}
	return nil
}
