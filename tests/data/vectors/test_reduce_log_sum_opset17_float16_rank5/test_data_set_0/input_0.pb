
BdataJxiB<@=n:7B> ACGB/?-BC=C”ABÄ=„A€B”<I>÷C|@>¢<®CbC·@CR8´?i;ÚBö>D@é<·<«@Ô=@=
:CBêBWCªAµBICø=)>ƒ9¼B„BBbCÔ<<BB@§A€B