/** The minimum permissions of a bucket key, as AWS and MinIO take them. */
export const bucketPolicy = `{
  "Version": "2012-10-17",
  "Statement": [
    {
      "Effect": "Allow",
      "Action": [
        "s3:PutObject", "s3:GetObject", "s3:DeleteObject",
        "s3:AbortMultipartUpload", "s3:ListMultipartUploadParts"
      ],
      "Resource": "arn:aws:s3:::my-builds/slipway/*"
    },
    {
      "Effect": "Allow",
      "Action": ["s3:ListBucket", "s3:ListBucketMultipartUploads"],
      "Resource": "arn:aws:s3:::my-builds"
    }
  ]
}`

/** How to make a bucket and a key for it, by provider. */
export const bucketExamples: Readonly<Record<string, string>> = {
  AWS: `# Endpoint https://s3.eu-central-1.amazonaws.com
# Region eu-central-1
aws s3 mb s3://my-builds --region eu-central-1
aws iam create-user --user-name slipway
aws iam put-user-policy --user-name slipway --policy-name s3 --policy-document file://policy.json
aws iam create-access-key --user-name slipway`,
  R2: `# Endpoint https://ACCOUNT_ID.r2.cloudflarestorage.com
# Region auto
npx wrangler r2 bucket create my-builds
# In the dashboard: R2, Manage API tokens, Create,
# "Object Read & Write" for my-builds only`,
  B2: `# Endpoint https://s3.eu-central-003.backblazeb2.com
# Region eu-central-003, as in the endpoint on the bucket's page
b2 bucket create my-builds allPrivate --lifecycle-rule \\
  '{"daysFromHidingToDeleting": 1, "daysFromUploadingToHiding": null, "fileNamePrefix": ""}'
b2 key create --bucket my-builds slipway listBuckets,listFiles,readFiles,writeFiles,deleteFiles`,
  Garage: `# Endpoint http://192.168.1.5:3900, or with https://
# Region garage
garage bucket create my-builds
garage key create slipway
garage bucket allow --read --write my-builds --key slipway`,
  MinIO: `# Endpoint http://192.168.1.5:9000, or with https://
# Region us-east-1
mc mb store/my-builds && mc admin user add store slipway SECRET
mc admin policy create store slipway policy.json
mc admin policy attach store slipway --user slipway`,
}

/** A file for `--bucket-config`. */
export const bucketConfig = `{
  "endpoint": "https://s3.eu-central-1.amazonaws.com",
  "region": "eu-central-1",
  "bucket": "my-builds",
  "access_key_id": "…",
  "secret_access_key": "…"
}`

export const bucketCommands = `chmod 600 bucket.json
slipway serve --bucket-config bucket.json
# Exit code 0: all is well. 2: something needs attention
slipway bucket status
# Compares all copies; --read-data reads and hashes them
slipway bucket verify
# Deletes the copies; --keep-copies leaves them
slipway bucket remove`
