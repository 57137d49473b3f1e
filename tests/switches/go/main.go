// Makes the one call that the vectors ask for over go-retryablehttp (protocol: idempact.vectors.client).
package main

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

func main() {
	client := retryablehttp.NewClient()
	client.RetryMax = 3
	client.RetryWaitMin = 100 * time.Millisecond
	client.RetryWaitMax = 800 * time.Millisecond
	client.HTTPClient.Timeout = time.Second
	client.Logger = nil
	start := time.Now()
	status, ok := call(client)
	var told any
	if status != 0 {
		told = status
	}
	line := map[string]any{"ok": ok, "status": told, "kind": "", "elapsed_ms": time.Since(start).Milliseconds()}
	if err := json.NewEncoder(os.Stdout).Encode(line); err != nil {
		panic(err)
	}
}

func call(client *retryablehttp.Client) (int, bool) {
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
