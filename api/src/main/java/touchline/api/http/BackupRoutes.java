package touchline.api.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.Method;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import touchline.api.backup.Backups;
import touchline.api.backup.DiskFullException;
import touchline.api.backup.LastBackup;
import touchline.api.domain.Scope;

/** Backups of this server. Any thread. */
final class BackupRoutes {
    private static final Logger log = LoggerFactory.getLogger(BackupRoutes.class);
    private static final String PATH = "/system/v1/backups";
    private static final String WITH_MEDIA = "with_media";
    private static final String TAR_TYPE = "application/x-tar";
    private static final String NO_SPACE = "No space left on device";

    private final Backups backups;

    BackupRoutes(Backups backups) {
        this.backups = backups;
    }

    List<ApiRoute> routes() {
        return List.of(
                ApiRoute.of(Method.GET, PATH, Scope.SYSTEM, this::show),
                ApiRoute.of(Method.POST, PATH, Scope.SYSTEM, this::create));
    }

    /** {@code last} is null until a backup was written to its end. */
    private ApiReply show(ApiRequest request) {
        ObjectNode data = Json.object();
        data.put("running", backups.isRunning());
        data.put("database_command", backups.databaseCommand().orElse(null));
        Optional<LastBackup.Entry> last = backups.last();
        if (last.isPresent()) {
            data.putObject("last")
                    .put("created_at", last.get().createdAt().getEpochSecond())
                    .put("size_bytes", last.get().sizeBytes())
                    .put(WITH_MEDIA, last.get().media());
        } else {
            data.putNull("last");
        }
        return ApiReply.ok(data);
    }

    /** The archive is the whole reply. It is written while it is sent. */
    private ApiReply create(ApiRequest request) {
        // In the query: an archive has no place for warnings about a body.
        boolean withMedia = QueryFlag.of(request, WITH_MEDIA);
        try {
            return new ApiReply.Streamed(TAR_TYPE, new Archive(backups.prepare(withMedia)));
        } catch (Backups.RefusedException e) {
            throw ApiException.wrongState(String.valueOf(e.getMessage()));
        } catch (DiskFullException e) {
            throw ApiException.of(ErrorCode.DISK_FULL, String.valueOf(e.getMessage()));
        } catch (IOException e) {
            if (String.valueOf(e.getMessage()).contains(NO_SPACE)) {
                throw ApiException.of(ErrorCode.DISK_FULL, "the data folder's disk is full");
            }
            log.error("a backup cannot be prepared", e);
            throw ApiException.of(ErrorCode.INTERNAL, "the backup cannot be prepared");
        }
    }

    private record Archive(Backups.Prepared prepared) implements ApiReply.Writer {
        @Override
        public void write(OutputStream out) throws IOException {
            prepared.write(out);
        }

        @Override
        public void close() {
            prepared.close();
        }
    }
}
