package touchline.api.domain;

import java.util.Optional;

/** Kinds of stores for transcoding outputs. */
public enum StorageType {
    /** Alibaba Cloud OSS, by its S3 interface. */
    OSS,
    /** Anything that speaks the S3 interface. */
    S3,
    /** A folder of this host, below the configured root. */
    FILE;

    public String wireName() {
        return WireNames.lowerCase(this);
    }

    public static Optional<StorageType> of(String wireName) {
        return WireNames.find(StorageType.class, wireName);
    }
}
