//! A real S3 server (`SeaweedFS`) for one test.

use std::process::Command;
use std::sync::Arc;

use object_store::ObjectStore;
use thunse::media;
use thunse::platform::config::{PictureStore, Secret};

use super::helper::{Helper, ours};

pub struct S3(Helper);

impl S3 {
    pub fn start() -> Self {
        Self(Helper::start(&mut Command::new(ours("tools/s3/serve")), "S3_SECRET_KEY"))
    }

    /// Its one bucket, as the settings of the shop would open it.
    pub fn bucket(&self) -> Arc<dyn ObjectStore> {
        let said = |name| self.0.said(name).to_owned();
        media::open(&PictureStore::S3 {
            bucket: said("S3_BUCKET"),
            region: "us-east-1".to_owned(),
            endpoint: Some(said("S3_ENDPOINT")),
            access_key: said("S3_ACCESS_KEY"),
            secret_key: Secret::new(said("S3_SECRET_KEY")),
        })
        .unwrap()
    }
}
