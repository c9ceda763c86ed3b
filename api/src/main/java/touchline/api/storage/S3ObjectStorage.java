package touchline.api.storage;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.MultipartUpload;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.NoSuchUploadException;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;
import software.amazon.awssdk.services.s3.model.UploadPartResponse;

/** A bucket behind the S3 interface. Any thread. */
final class S3ObjectStorage implements ObjectStorage {
    private static final Logger log = LoggerFactory.getLogger(S3ObjectStorage.class);
    private static final long MAX_PUT_BYTES = 16L << 20;
    private static final int NOT_IMPLEMENTED = 501;
    private static final int MAX_LISTED = 50_000;

    private final S3Client client;
    private final String bucket;

    /** Takes ownership of the client. */
    S3ObjectStorage(S3Client client, String bucket) {
        this.client = client;
        this.bucket = bucket;
    }

    @Override
    public void put(String key, FileSlice content, String contentType) throws StorageException {
        call(
                () -> {
                    try (FileSliceContent each = new FileSliceContent(content)) {
                        return client.putObject(
                                request -> request.bucket(bucket).key(key).contentType(contentType),
                                each.body(contentType));
                    }
                });
    }

    @Override
    public long maxPutBytes() {
        return MAX_PUT_BYTES;
    }

    @Override
    public Parts begin(String key, String contentType) throws StorageException {
        String upload =
                call(() ->
                                client.createMultipartUpload(
                                        request ->
                                                request.bucket(bucket)
                                                        .key(key)
                                                        .contentType(contentType)))
                        .uploadId();
        return new Upload(key, upload, contentType);
    }

    /** A multipart upload, named by its id at the store. */
    private final class Upload implements Parts {
        private final String key;
        private final String id;
        private final String contentType;
        private final ReentrantLock lock = new ReentrantLock();

        @GuardedBy("lock")
        private final TreeMap<Integer, String> tags = new TreeMap<>();

        Upload(String key, String id, String contentType) {
            this.key = key;
            this.id = id;
            this.contentType = contentType;
        }

        @Override
        public void put(int number, FileSlice content) throws StorageException {
            String tag = call(() -> putPart(number, content)).eTag();
            lock.lock();
            try {
                tags.put(number, tag);
            } finally {
                lock.unlock();
            }
        }

        private UploadPartResponse putPart(int number, FileSlice content) {
            try (FileSliceContent part = new FileSliceContent(content)) {
                return client.uploadPart(
                        request -> request.bucket(bucket).key(key).uploadId(id).partNumber(number),
                        part.body(contentType));
            }
        }

        @Override
        public void complete() throws StorageException {
            List<CompletedPart> parts = new ArrayList<>();
            lock.lock();
            try {
                tags.forEach(
                        (number, tag) ->
                                parts.add(
                                        CompletedPart.builder()
                                                .partNumber(number)
                                                .eTag(tag)
                                                .build()));
            } finally {
                lock.unlock();
            }
            call(
                    () ->
                            client.completeMultipartUpload(
                                    request ->
                                            request.bucket(bucket)
                                                    .key(key)
                                                    .uploadId(id)
                                                    .multipartUpload(all -> all.parts(parts))));
        }

        @Override
        public void abort() throws StorageException {
            discard(key, id);
        }
    }

    private void discard(String key, String upload) throws StorageException {
        try {
            client.abortMultipartUpload(
                    request -> request.bucket(bucket).key(key).uploadId(upload));
        } catch (NoSuchUploadException _) {
            log.debug("the upload is completed or aborted already");
        } catch (SdkException e) {
            throw S3Failures.of(e);
        }
    }

    @Override
    public void read(String key, OutputStream to) throws IOException {
        try (ResponseInputStream<GetObjectResponse> in =
                call(() -> client.getObject(request -> request.bucket(bucket).key(key)))) {
            in.transferTo(to);
        } catch (SdkException e) {
            throw S3Failures.of(e);
        }
    }

    @Override
    public List<String> list(String prefix) throws StorageException {
        return call(
                () ->
                        client
                                .listObjectsV2Paginator(
                                        request -> request.bucket(bucket).prefix(prefix))
                                .contents()
                                .stream()
                                .map(S3Object::key)
                                .limit(MAX_LISTED)
                                .toList());
    }

    @Override
    public void delete(String key) throws StorageException {
        try {
            client.deleteObject(request -> request.bucket(bucket).key(key));
        } catch (NoSuchKeyException _) {
            log.debug("the object is deleted already");
        } catch (SdkException e) {
            throw S3Failures.of(e);
        }
    }

    @Override
    public void abortUploads(String prefix) throws StorageException {
        List<MultipartUpload> begun;
        try {
            begun =
                    client
                            .listMultipartUploadsPaginator(
                                    request -> request.bucket(bucket).prefix(prefix))
                            .uploads()
                            .stream()
                            .limit(MAX_LISTED)
                            .toList();
        } catch (S3Exception e) {
            if (e.statusCode() == NOT_IMPLEMENTED) {
                // The store cannot list unfinished uploads.
                return;
            }
            throw S3Failures.of(e);
        } catch (SdkException e) {
            throw S3Failures.of(e);
        }
        for (MultipartUpload each : begun) {
            // Some stores ignore the prefix and list the whole bucket.
            if (each.key().startsWith(prefix)) {
                discard(each.key(), each.uploadId());
            }
        }
    }

    private static <T> T call(Supplier<T> work) throws StorageException {
        try {
            return work.get();
        } catch (SdkException e) {
            throw S3Failures.of(e);
        } catch (UncheckedIOException e) {
            throw new StorageException(
                    StorageException.Kind.FAILED, "", "the output cannot be read", e);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
