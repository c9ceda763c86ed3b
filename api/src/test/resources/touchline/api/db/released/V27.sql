UPDATE moderation_records SET review_by = 'operator' WHERE review_at_ms IS NOT NULL;
