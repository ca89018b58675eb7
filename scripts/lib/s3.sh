# A private S3 server (SeaweedFS): its own folder and ports, one identity, one bucket. Sourced by scripts/stack
# and tools/s3/serve.
. "$(dirname "${BASH_SOURCE[0]}")/ports.sh"

# So many ports: its services talk to each other over gRPC; named, those need not be ten thousand above.
# shellcheck disable=SC2034 # used by those who source it
SEAWEED_PORTS=8

# s3_config KEY SECRET: the identity that may do everything; nobody else may do anything.
s3_config() {
  printf '{"identities":[{"name":"shop","credentials":[{"accessKey":"%s","secretKey":"%s"}],"actions":["Admin","Read","Write","List","Tagging"]}]}\n' "$1" "$2"
}

# s3_command DIR PORTS...: what to run, one word a line. DIR holds s3.json already.
s3_command() {
  local dir=$1
  shift
  printf '%s\n' weed -logtostderr server -dir="$dir" -ip=127.0.0.1 -ip.bind=127.0.0.1 \
    -master.port="$1" -master.port.grpc="$2" -volume.port="$3" -volume.port.grpc="$4" -filer -filer.port="$5" -filer.port.grpc="$6" \
    -filer.localSocket="$dir/filer.sock" -s3 -s3.port="$7" -s3.port.grpc="$8" -s3.localSocket="$dir/s3.sock" -s3.config="$dir/s3.json" \
    -s3.port.iceberg=0 -s3.port.lance=0 -volume.max=20 -master.volumeSizeLimitMB=64 -volume.fileSizeLimitMB=64
}

# s3_bucket ENDPOINT KEY SECRET BUCKET: makes it as soon as the server takes it, and proves that it can be written.
s3_bucket() {
  local bucket=$1/$4 made=no
  local signed=(curl --silent --fail -o /dev/null --aws-sigv4 aws:amz:us-east-1:s3 --user "$2:$3")
  for _ in $(seq 1200); do
    if [ $made = no ] && "${signed[@]}" -X PUT "$bucket"; then made=yes; fi
    if [ $made = yes ] && printf ready | "${signed[@]}" --upload-file - "$bucket/ready"; then
      "${signed[@]}" -X DELETE "$bucket/ready"
      return
    fi
    sleep 0.1
  done
  echo "the S3 server does not take a bucket" >&2
  return 1
}
