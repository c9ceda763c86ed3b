package touchline.api.storage;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.ContentStreamProvider;
import touchline.api.storage.ObjectStorage.FileSlice;

/**
 * What is put, as the AWS SDK wants it: from its beginning for the hash, and again for each try.
 * The SDK leaves open what it was given, so the last stream is closed here. One call of the SDK,
 * one thread.
 */
final class FileSliceContent implements ContentStreamProvider, AutoCloseable {
    private final FileSlice stretch;
    private @Nullable InputStream current;

    FileSliceContent(FileSlice stretch) {
        this.stretch = stretch;
    }

    RequestBody body(String contentType) {
        return RequestBody.fromContentProvider(this, stretch.sizeBytes(), contentType);
    }

    @Override
    public InputStream newStream() {
        close();
        try {
            InputStream opened = FileSliceStream.open(stretch);
            current = opened;
            return opened;
        } catch (IOException e) {
            throw new UncheckedIOException("output file", e);
        }
    }

    @Override
    public void close() {
        InputStream last = current;
        current = null;
        try {
            if (last != null) {
                last.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("output file", e);
        }
    }
}
