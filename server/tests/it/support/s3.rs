//! A real S3 server (`SeaweedFS`) for one test.

use std::process::Command;
use std::sync::Arc;

use object_store::ObjectStore;
use thunse::media;
use thunse::platform::config::{PictureStore, Secret};

use super::helper_process::{HelperProcess, repository_path};

pub struct S3(HelperProcess);

impl S3 {
    pub fn start() -> Self {
        Self(HelperProcess::start(&mut Command::new(repository_path("tools/s3/serve")), "S3_SECRET_KEY"))
    }

    /// Opens its only bucket as the shop's settings would.
    pub fn bucket(&self) -> Arc<dyn ObjectStore> {
        let said = |name| self.0.setting(name).to_owned();
        media::open_store(&PictureStore::S3 {
            bucket: said("S3_BUCKET"),
            region: "us-east-1".to_owned(),
            endpoint: Some(said("S3_ENDPOINT")),
            access_key: said("S3_ACCESS_KEY"),
            secret_key: Secret::new(said("S3_SECRET_KEY")),
        })
        .unwrap()
    }
}
