// Package suppression has the dialogs of local suppression: k-anonymity, a risk
// threshold, unsafe combinations.
package suppression
