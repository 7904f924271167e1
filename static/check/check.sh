check() {
  (printf '\060\052\060\005\006\003\053\145\160\003\041\000'
   printf %s "${2#*+*+}" | openssl base64 -d -A | tail -c 32) > key.der
  sed '/^$/,$d' "$1" > signed.txt
  sed -n 's/^— [^ ]* //p' "$1" | head -n 1 | openssl base64 -d -A | tail -c 64 > signature
  openssl pkeyutl -verify -pubin -keyform DER -inkey key.der \
    -rawin -in signed.txt -sigfile signature
}
