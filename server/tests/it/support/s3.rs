//! A real S3 server (`SeaweedFS`) for one test.

use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

pub struct S3 {
    pub endpoint: String,
    server: Child,
    folder: PathBuf,
}

fn free_port() -> u16 {
    // Its HTTP and gRPC ports are 10,000 apart, so both must be below 65,536.
    loop {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        if port < 55_000 && TcpListener::bind(("127.0.0.1", port + 10_000)).is_ok() {
            return port;
        }
    }
}

impl S3 {
    /// Starts `weed` (from `WEED`, the project's tools or `PATH`) with the bucket `pictures` in it.
    pub async fn start() -> Self {
        let program = super::tool("WEED", "weed");
        let folder = std::env::temp_dir().join(format!("thunse-s3-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let identities = folder.join("identities.json");
        let rights = r#"{"identities": [{"name": "shop", "credentials": [{"accessKey": "test", "secretKey": "testtest"}],
                         "actions": ["Admin", "Read", "Write", "List"]}]}"#;
        std::fs::write(&identities, rights).unwrap();
        let ports: Vec<u16> = (0..4).map(|_| free_port()).collect();
        let server = Command::new(&program)
            .arg("server")
            .arg(format!("-dir={}", folder.display()))
            .args(["-ip=127.0.0.1", "-s3", "-volume.max=10", "-master.volumeSizeLimitMB=64"])
            .arg(format!("-master.port={}", ports[0]))
            .arg(format!("-volume.port={}", ports[1]))
            .arg(format!("-filer.port={}", ports[2]))
            .arg(format!("-s3.port={}", ports[3]))
            .arg(format!("-s3.config={}", identities.display()))
            .stdout(Stdio::null())
            .stderr(std::fs::File::create(folder.join("log")).unwrap())
            .spawn()
            .unwrap_or_else(|error| panic!("{program} does not start: {error} (scripts/setup brings it)"));
        let s3 = Self { endpoint: format!("http://127.0.0.1:{}", ports[3]), server, folder };
        s3.make_bucket(&program, ports[0], ports[2]).await;
        s3
    }

    async fn make_bucket(&self, program: &str, master: u16, filer: u16) {
        let command = "s3.bucket.create -name pictures";
        let command =
            format!("echo '{command}' | '{program}' shell -master=127.0.0.1:{master} -filer=127.0.0.1:{filer}");
        let mut made = false;
        for _ in 0..120 {
            tokio::time::sleep(Duration::from_millis(250)).await;
            made = made || Command::new("sh").args(["-c", &command]).output().unwrap().status.success();
            if made && reqwest::get(&self.endpoint).await.is_ok() {
                return;
            }
        }
        panic!("the S3 server did not start:\n{}", std::fs::read_to_string(self.folder.join("log")).unwrap());
    }
}

impl Drop for S3 {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}
