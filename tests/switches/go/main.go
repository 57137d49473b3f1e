// Makes the one call that the vectors ask for over a library with retries (protocol: idempact.vectors.client).
package main

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/go-resty/resty/v2"
	"github.com/hashicorp/go-retryablehttp"
)

func main() {
	start := time.Now()
	status, ok := calls[os.Args[1]]()
	var told any
	if status != 0 {
		told = status
	}
	line := map[string]any{"ok": ok, "status": told, "kind": "", "elapsed_ms": time.Since(start).Milliseconds()}
	if err := json.NewEncoder(os.Stdout).Encode(line); err != nil {
		panic(err)
	}
}

var calls = map[string]func() (int, bool){
	"retryablehttp": overRetryableHTTP,
	"resty":         func() (int, bool) { return overResty(resty.New()) },
	"resty-answers": func() (int, bool) { return overResty(resty.New().AddRetryAfterErrorCondition()) },
}

func overResty(client *resty.Client) (int, bool) {
	client.SetRetryCount(3).SetRetryWaitTime(100 * time.Millisecond).SetRetryMaxWaitTime(800 * time.Millisecond)
	client.SetTimeout(time.Second).SetLogger(silent{})
	request := client.R().SetHeader("Content-Type", "application/json").SetBody([]byte(os.Getenv("VECTOR_BODY")))
	if key, given := os.LookupEnv("VECTOR_KEY"); given {
		request.SetHeader("Idempotency-Key", key)
	}
	response, err := request.Post(os.Getenv("VECTOR_URL"))
	if err != nil {
		return 0, false
	}
	return response.StatusCode(), response.IsSuccess()
}

type silent struct{}

func (silent) Errorf(string, ...any) {}
func (silent) Warnf(string, ...any)  {}
func (silent) Debugf(string, ...any) {}

func overRetryableHTTP() (int, bool) {
	client := retryablehttp.NewClient()
	client.RetryMax = 3
	client.RetryWaitMin = 100 * time.Millisecond
	client.RetryWaitMax = 800 * time.Millisecond
	client.HTTPClient.Timeout = time.Second
	client.Logger = nil
	request, err := retryablehttp.NewRequest(http.MethodPost, os.Getenv("VECTOR_URL"), []byte(os.Getenv("VECTOR_BODY")))
	if err != nil {
		panic(err)
	}
	request.Header.Set("Content-Type", "application/json")
	if key, given := os.LookupEnv("VECTOR_KEY"); given {
		request.Header.Set("Idempotency-Key", key)
	}
	response, err := client.Do(request)
	if err != nil {
		return 0, false
	}
	defer response.Body.Close()
	if _, err := io.ReadAll(response.Body); err != nil {
		return response.StatusCode, false
	}
	return response.StatusCode, response.StatusCode >= 200 && response.StatusCode < 300
}
