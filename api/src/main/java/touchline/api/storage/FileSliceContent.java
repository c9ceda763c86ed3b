package touchline.api.storage;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.ContentStreamProvider;
import touchline.api.storage.ObjectStorage.FileSlice;

/**
 * A range of a file as content of an upload. The AWS SDK reads it from the start for the hash and
 * for each try. The SDK leaves streams open, so this class closes the last one. One call of the
 * SDK, one thread.
 */
final class FileSliceContent implements ContentStreamProvider, AutoCloseable {
    private final FileSlice slice;
    private @Nullable InputStream current;

    FileSliceContent(FileSlice slice) {
        this.slice = slice;
    }

    RequestBody body(String contentType) {
        return RequestBody.fromContentProvider(this, slice.sizeBytes(), contentType);
    }

    @Override
    public InputStream newStream() {
        close();
        try {
            InputStream opened = FileSliceStream.open(slice);
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
